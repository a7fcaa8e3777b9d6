import { CommandError } from '../../command-error';
import { isNumber, toDouble } from '../../bson/arithmetic';
import { isDoc, type Doc, type Value } from '../../bson/value';
import { type CompileStage } from '../stage';

/** Fractions are cut off, as in MongoDB; a sample of none is none. */
function sampleSize(operand: Value): number {
  if (!isDoc(operand)) throw new CommandError('Location28745', 'the $sample stage specification must be an object');
  const unknown = Object.keys(operand).find((name) => name !== 'size');
  if (unknown !== undefined) throw new CommandError('Location28748', `unrecognized option to $sample: ${unknown}`);
  const { size } = operand;
  if (size === undefined) throw new CommandError('Location28749', '$sample stage must specify a size');
  if (!isNumber(size)) throw new CommandError('Location28746', 'size argument to $sample must be a number');
  const whole = Math.trunc(toDouble(size));
  if (!(whole >= 0)) throw new CommandError('Location28747', 'size argument to $sample must not be negative');
  return whole;
}

/** `$sample`. */
export const sample: CompileStage = (operand) => {
  const size = sampleSize(operand);
  return function* (docs) {
    if (size === 0) return;
    // Reservoir sampling: every document is as likely to stay.
    const kept: Doc[] = [];
    let seen = 0;
    for (const doc of docs) {
      if (!doc) {
        yield undefined;
        continue;
      }
      const place = Math.floor(Math.random() * ++seen);
      if (kept.length < size) kept.splice(place, 0, doc);
      else if (place < size) kept[place] = doc;
    }
    yield* kept;
  };
};
