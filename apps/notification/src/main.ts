import { runService } from '@invoicing/service';
import { loadConfig } from './config';
import { startNotification } from './service';

runService('notification', loadConfig, startNotification);
