import { type Fields } from './check-fields';
import { aliases, commandFields, commonFields, openCommands } from './command-fields';
import { commands } from './registry';

describe('the table of fields', () => {
  it('has every command once: with its fields, or with the reason why it takes any', () => {
    const declared = [...Object.keys(commandFields), ...Object.keys(openCommands)];
    expect(declared.toSorted()).toEqual(Object.keys(commands).toSorted());
    for (const [alias, name] of Object.entries(aliases)) {
      expect(commands).toHaveProperty(name);
      expect(commands).not.toHaveProperty(alias);
    }
  });

  it('says why a field is accepted and changes nothing', () => {
    const reasons = [commonFields, ...Object.values(commandFields)].flatMap((fields: Fields) =>
      Object.values(fields).flatMap(({ ignored }) => ignored ?? []),
    );
    expect(reasons.length).toBeGreaterThan(20);
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z].{10,}\.( |$)?/);
  });
});
