import { CommandError } from '../command-error';

/** The names that a user's variable may have. */
export function checkVariableName(name: string): void {
  if (name === '') throw new CommandError('FailedToParse', 'empty variable names are not allowed');
  if (name === 'CURRENT') return;
  if (!/^[a-z\u0080-\uffff]/.test(name))
    throw new CommandError('FailedToParse', `'${name}' starts with an invalid character for a user variable name`);
  const bad = /[^a-zA-Z0-9_\u0080-\uffff]/.exec(name);
  if (bad)
    throw new CommandError('FailedToParse', `'${name}' contains an invalid character for a variable name: '${bad[0]}'`);
}
