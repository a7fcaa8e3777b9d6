const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY = 0x02014b50;

/** The files of a zip that stores them without compression, by its central directory. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - END_BYTES;
  if (zip.readUInt32LE(end) !== END) throw new Error('no zip, or one with a comment');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY || zip.readUInt16LE(at + 10) !== 0)
      throw new Error('a damaged or compressed entry');
    const [size, nameLength] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files.set(name, zip.subarray(from, from + size));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
