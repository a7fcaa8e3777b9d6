import { styleText } from 'node:util';
import { Command, type Option, type ParseOptionsResult } from 'commander';
import { hasColor } from './output';

/**
 * A command whose help marks what is required and ends with an example, and that names a wrong flag before it misses a required one: the
 * typo is the cause, the missing flag its effect.
 */
export class StrictCommand extends Command {
  constructor(name?: string) {
    super(name);
    this.configureHelp({
      optionDescription: (option) =>
        [option.mandatory ? '(required)' : '', option.description, notesOf(option)].filter(Boolean).join(' '),
      ...(hasColor(process.stdout) && { styleTitle: (title: string) => styleText('bold', title) }),
    });
    this.addHelpText('after', () => (this.commands.length === 0 ? `\nExample:\n  ${exampleOf(this)}` : ''));
  }

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

function notesOf({ argChoices, defaultValue }: Option): string {
  const notes = [
    ...(argChoices ? [`one of ${argChoices.join(', ')}`] : []),
    ...(defaultValue === undefined || defaultValue === false ? [] : [`default: ${String(defaultValue)}`]),
  ];
  return notes.length > 0 ? `(${notes.join('; ')})` : '';
}

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const VALUES: Readonly<Record<string, string>> = {
  id: ID,
  name: '"Bakkerij De Zon"',
  url: 'https://shop.example/hooks',
  events: 'invoice.paid',
  list: 'invoice.paid',
  address: 'anna@example.nl',
  email: 'anna@example.nl',
  date: '2026-03-31',
  time: '2027-01-31T09:00:00Z',
  duration: 'P1M',
  file: 'lines.json',
  n: '1000',
  text: '"by mistake"',
};

/** The shortest call that can work: what is required, with a value of its kind. */
function exampleOf(command: Command): string {
  const path: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) path.unshift(each.name());
  const args = command.registeredArguments.filter(({ required }) => required).map((each) => valueOf(each.name()));
  const flags = command.options.flatMap(({ mandatory, long, flags: usage, argChoices }) =>
    mandatory && long ? [long, argChoices?.[0] ?? valueOf(/<(\w+)>/.exec(usage)?.[1] ?? '')] : [],
  );
  return ['npm run --silent admin --', ...path, ...args, ...flags].join(' ');
}

const valueOf = (kind: string): string => VALUES[kind] ?? `<${kind}>`;
