import { CommandError } from '../../command-error';
import { type Doc } from '../../bson/value';
import { mingoAggregate } from '../mingo';
import { fromPlain, toPlain } from '../plain';
import { type CompileStage } from '../stage';

const names = ['$bucketAuto', '$densify', '$fill', '$setWindowFields'];

/** Rarely used stages, left to mingo on plain values; they take all documents before they give one. */
const delegate: CompileStage = (operand, _context, name) => {
  const aggregate = mingoAggregate();
  return function* (docs) {
    const all: unknown[] = [];
    for (const doc of docs) {
      if (doc) all.push(toPlain(doc));
      else yield undefined;
    }
    let results: unknown[];
    try {
      results = aggregate(all, { [name]: toPlain(operand) });
    } catch (error) {
      throw new CommandError('FailedToParse', (error as Error).message);
    }
    for (const result of results) yield fromPlain(result) as Doc;
  };
};

export const mingoStages: Record<string, CompileStage> = Object.fromEntries(names.map((name) => [name, delegate]));
