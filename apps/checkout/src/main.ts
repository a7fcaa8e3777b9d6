import { runProcess } from '@invoicing/config';
import { createLogger, startMetricsServer, startTracing } from '@invoicing/telemetry';
import { loadConfig } from './config';
import { startCheckout } from './service';

runProcess('checkout', async () => {
  const config = loadConfig(process.env);
  const log = createLogger('checkout', config.logLevel);
  log.info(config.summary, 'starting');
  const tracing = await startTracing('checkout', log);
  const metrics = config.metricsPort ? await startMetricsServer(config.host, config.metricsPort) : undefined;
  const checkout = await startCheckout(config, log);
  return {
    close: async () => {
      await checkout.close();
      await metrics?.close();
      await tracing.close();
    },
  };
});
