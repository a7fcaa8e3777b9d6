import { styleText } from 'node:util';
import { CommanderError, type Command } from 'commander';
import { describeError } from './describe-error';
import { hasColor } from './output';
import { buildProgram } from './program';

// The operator's command line: `npm run --silent admin -- <noun> <verb> [flags] [--json]`.
const program = buildProgram();
let running: Command | undefined;
program
  .hook('preAction', (_program, command) => void (running = command))
  .parseAsync()
  .then(
    // A verb that answers that something is wrong has set it.
    () => process.exit(process.exitCode ?? 0),
    (error: unknown) => {
      if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 1);
      const said = describeError(error, running?.options.flatMap(({ long }) => long ?? []) ?? []);
      console.error(hasColor(process.stderr) ? styleText('red', said) : said);
      process.exit(1);
    },
  );
