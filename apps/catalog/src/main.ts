import { runProcess } from '@invoicing/config';
import { createLogger, startMetricsServer, startTracing } from '@invoicing/telemetry';
import { loadConfig } from './config';
import { startCatalog } from './service';

runProcess('catalog', async () => {
  const config = loadConfig(process.env);
  const log = createLogger('catalog', config.logLevel);
  log.info(config.summary, 'starting');
  const tracing = await startTracing('catalog', log);
  const metrics = config.metricsPort ? await startMetricsServer(config.host, config.metricsPort) : undefined;
  const catalog = await startCatalog(config, log);
  return {
    close: async () => {
      await catalog.close();
      await metrics?.close();
      await tracing.close();
    },
  };
});
