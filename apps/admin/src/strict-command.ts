import { Command, type ParseOptionsResult } from 'commander';

/** A command that names a wrong flag before it misses a required one: the typo is the cause, the missing flag its effect. */
export class StrictCommand extends Command {
  override createCommand(name?: string): StrictCommand {
    return new StrictCommand(name);
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    const parsed = super.parseOptions(args);
    const [unknown] = parsed.unknown;
    const isLeaf = this.commands.length === 0;
    if (isLeaf && unknown?.startsWith('-') && unknown !== '--help' && unknown !== '-h') {
      this.error(`error: unknown option '${unknown}'`, { code: 'commander.unknownOption' });
    }
    return parsed;
  }
}
