import { runService } from '@invoicing/service';
import { loadConfig } from './config';
import { startApplication } from './service';

runService('application', loadConfig, startApplication);
