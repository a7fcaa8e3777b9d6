import type { Command } from 'commander';
import { addBank } from './commands/bank';
import { addCustomer, addProduct } from './commands/catalog';
import { addClock } from './commands/clock';
import { addCheckout } from './commands/checkout';
import { addDemo } from './commands/demo';
import { addHistory } from './commands/history';
import { addInvoiceAccount } from './commands/invoice-account';
import { addDraft } from './commands/draft';
import { addInvoice } from './commands/invoice';
import { addKey } from './commands/key';
import { addOrg } from './commands/org';
import { addPlatformState } from './commands/platform-state';
import { addProfile } from './commands/profile';
import { addProvider } from './commands/provider';
import { addSubscriptions } from './commands/subscription';
import { addUser } from './commands/user';
import { addWebhook } from './commands/webhook';
import { StrictCommand } from './strict-command';

/** Every noun and verb of the CLI. The names are a contract: docs/operating.md. */
export function buildProgram(): Command {
  const program = new StrictCommand('admin')
    .description("The operator's command line. Finds the running platform through DATA_DIR.")
    .showHelpAfterError('(add --help for the flags)')
    .exitOverride();
  addOrg(program);
  addProfile(program);
  addKey(program);
  addProvider(program);
  addWebhook(program);
  addUser(program);
  addInvoiceAccount(program, addInvoice(program));
  addBank(program);
  addDraft(program);
  addCustomer(program);
  addProduct(program);
  addSubscriptions(program);
  addClock(program);
  addCheckout(program);
  addHistory(program);
  addPlatformState(program);
  addDemo(program);
  return program;
}
