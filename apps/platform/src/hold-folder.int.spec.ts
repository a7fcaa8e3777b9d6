import { symlinkSync } from 'node:fs';
import { tempFolder } from '@invoicing/testing';
import { holdFolder } from './hold-folder';

test('a folder has one holder, by whatever name it is called; another folder has its own', async () => {
  const [folder, other] = [tempFolder(), tempFolder()];
  await holdFolder(folder.path);
  symlinkSync(folder.path, `${other.path}/link`);
  await expect(holdFolder(folder.path)).rejects.toThrow('another one is starting or stopping');
  await expect(holdFolder(`${other.path}/link`)).rejects.toThrow('another one is starting or stopping');
  await holdFolder(other.path);
  folder.remove();
  other.remove();
});
