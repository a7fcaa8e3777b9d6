import { runService } from '@invoicing/service';
import { loadConfig } from './config';
import { startBilling } from './service';

runService('billing', loadConfig, startBilling);
