import { AppError } from '@invoicing/errors';
import { CommanderError } from 'commander';
import { buildProgram } from './program';

// The operator's command line: `npm run --silent admin -- <noun> <verb> [flags] [--json]`.
buildProgram()
  .parseAsync()
  .then(
    // A verb that answers that something is wrong has set it.
    () => process.exit(process.exitCode ?? 0),
    (error: unknown) => {
      if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 1);
      console.error(describe(error));
      process.exit(1);
    },
  );

function describe(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  if (error.kind === 'unavailable') return 'the service cannot be reached: is the platform running? (npm start)';
  const details = error.details?.map(({ path, message }) => `  ${path} ${message}`) ?? [];
  return [details.length > 0 ? error.code : `${error.code}: ${error.publicMessage}`, ...details].join('\n');
}
