import {
  bindService,
  identities,
  type BoundService,
  type Handlers,
  type ServiceAccess,
  type ServiceDefinition,
} from '@invoicing/rpc';

/**
 * An imitation of a service: only the given methods, any other answers that it is not served. It lets every known identity in, as who
 * may call the real one is that service's own test.
 */
export function openService<D extends ServiceDefinition>(definition: D, handlers: Partial<Handlers<D>>): BoundService {
  const names = Object.keys(definition).filter((name) => name in handlers);
  return bindService(
    Object.fromEntries(names.map((name) => [name, definition[name]])) as D,
    handlers as Handlers<D>,
    Object.fromEntries(
      names.map((name) => [name, { callers: identities, dryRun: true }]),
    ) as unknown as ServiceAccess<D>,
  );
}
