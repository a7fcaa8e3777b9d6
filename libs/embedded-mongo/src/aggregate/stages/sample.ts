import { CommandError } from '../../command-error';
import { isNumber, toDouble } from '../../bson/arithmetic';
import { isDoc, type Doc } from '../../bson/value';
import { type CompileStage } from '../stage';

export const sample: CompileStage = (operand) => {
  const size = isDoc(operand) && isNumber(operand.size) ? toDouble(operand.size!) : NaN;
  if (!Number.isInteger(size) || size < 1)
    throw new CommandError('Location28747', 'size argument to $sample must be a positive integer');
  return function* (docs) {
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
