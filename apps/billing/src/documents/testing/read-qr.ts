import jsQR from 'jsqr';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGBA. */
  readonly data: Uint8Array;
}

/** A part of an image, in shares of its size: a reader takes long for a whole page. */
export function crop(
  { width, height, data }: Pixels,
  from: { x: number; y: number },
  to: { x: number; y: number },
): Pixels {
  const [left, top] = [Math.floor(from.x * width), Math.floor(from.y * height)];
  const [right, bottom] = [Math.ceil(to.x * width), Math.ceil(to.y * height)];
  const rows = Array.from({ length: bottom - top }, (_, row) => {
    const start = ((top + row) * width + left) * 4;
    return data.subarray(start, start + (right - left) * 4);
  });
  return { width: right - left, height: bottom - top, data: new Uint8Array(Buffer.concat(rows)) };
}

/** The text of the code in this image, decoded from its bytes as UTF-8, or undefined when a reader finds none. */
export function readQr({ width, height, data }: Pixels): { text: string; version: number } | undefined {
  const found = jsQR(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' });
  return found ? { text: Buffer.from(found.binaryData).toString('utf8'), version: found.version } : undefined;
}

/** The fields of an EPC069-12 payload by name. */
export function epcFields(payload: string): Record<string, string> {
  const names = 'tag version charset identification bic name iban amount purpose reference text'.split(' ');
  return Object.fromEntries(payload.split('\n').map((line, index) => [names[index] ?? `extra${index}`, line]));
}
