import { symlinkSync } from 'node:fs';
import { tempFolder } from '@invoicing/testing';
import { lockFolder } from './lock-folder';

test('a folder has one holder, by whatever name it is called; another folder has its own', async () => {
  const [folder, other] = [tempFolder(), tempFolder()];
  await lockFolder(folder.path);
  symlinkSync(folder.path, `${other.path}/link`);
  await expect(lockFolder(folder.path)).rejects.toThrow('another one is starting or stopping');
  await expect(lockFolder(`${other.path}/link`)).rejects.toThrow('another one is starting or stopping');
  await lockFolder(other.path);
  folder.remove();
  other.remove();
});
