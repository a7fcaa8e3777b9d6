import { type Binary } from 'bson';
import { CommandError } from '../command-error';
import { plainNumber } from '../bson/compare';
import { typeOrder, TypeOrder, type Value } from '../bson/value';
import { type ValueTest } from './path';

/** `$bitsAllSet` and its three siblings: integers as two's complement, binaries little-endian. */
export function bitTest(operator: string, operand: Value): ValueTest {
  const wanted = maskOf(operator, operand);
  const any = operator.includes('Any');
  const set = operator.endsWith('Set');
  return (value) => {
    const bits = value === undefined ? undefined : bitsOf(value);
    if (bits === undefined) return false;
    const hit = (set ? bits : ~bits) & wanted;
    return any ? hit !== 0n : hit === wanted;
  };
}

function maskOf(operator: string, operand: Value): bigint {
  if (Array.isArray(operand))
    return operand.reduce<bigint>((mask, position) => mask | (1n << integer(operator, position)), 0n);
  const bits = bitsOf(operand);
  if (bits === undefined || bits < 0n) {
    throw new CommandError(
      'BadValue',
      `${operator} takes an Array, a number, or a BinData but received: ${String(operand)}`,
    );
  }
  return bits;
}

function integer(operator: string, value: Value): bigint {
  const bits = typeOrder(value) === TypeOrder.number ? bitsOf(value) : undefined;
  if (bits === undefined || bits < 0n)
    throw new CommandError('BadValue', `bit positions of ${operator} must be integers >= 0`);
  return bits;
}

function bitsOf(value: Value): bigint | undefined {
  const type = typeOrder(value);
  if (type === TypeOrder.number) {
    const number = plainNumber(value);
    if (typeof number === 'bigint') return number;
    return typeof number === 'number' && Number.isInteger(number) ? BigInt(number) : undefined;
  }
  if (type !== TypeOrder.binary) return undefined;
  const bytes = Buffer.from((value as Binary).value());
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.reverse().toString('hex')}`);
}
