import { Argument, type Command } from 'commander';
import { addBank } from './commands/bank';
import { addBooks } from './commands/books';
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
import { addPeppol } from './commands/peppol';
import { addProfile } from './commands/profile';
import { addReminders } from './commands/reminder';
import { addProvider } from './commands/provider';
import { addQuickstart } from './commands/quickstart';
import { addStore } from './commands/store';
import { addSubscriptions } from './commands/subscription';
import { addUser } from './commands/user';
import { addWebhook } from './commands/webhook';
import { SHELLS, completionScript } from './completion';
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
  addPeppol(program);
  addWebhook(program);
  addUser(program);
  addInvoiceAccount(program, addInvoice(program));
  addBank(program);
  addReminders(program);
  addDraft(program);
  addCustomer(program);
  addProduct(program);
  addSubscriptions(program);
  addClock(program);
  addCheckout(program);
  addBooks(program);
  addHistory(program);
  addPlatformState(program);
  addStore(program);
  addDemo(program);
  addQuickstart(program);
  addCompletion(program);
  return program;
}

/** `completion bash|zsh`: needs no platform. */
function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('prints a script that completes nouns, verbs and flags: eval "$(admin completion bash)"')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => console.log(completionScript(program, shell)));
}
