import { runService } from '@invoicing/service';
import { loadConfig } from './config';
import { startCatalog } from './service';

runService('catalog', loadConfig, startCatalog);
