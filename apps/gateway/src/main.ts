import { runService } from '@invoicing/service';
import { loadConfig } from './config';
import { startGateway } from './service';

runService('gateway', loadConfig, startGateway);
