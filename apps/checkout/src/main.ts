import { runService } from '@invoicing/service';
import { loadConfig } from './config';
import { startCheckout } from './service';

runService('checkout', loadConfig, startCheckout);
