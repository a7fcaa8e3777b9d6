import { CommandError } from '../command-error';
import { type Handler } from './command';

/** Unknown, as on any server in production, unless the store was started with test commands. */
const configureFailPoint: Handler = ({ name, body, engine }) => {
  if (!engine.failPoints) throw new CommandError('CommandNotFound', `no such command: '${name}'`);
  engine.failPoints.configure(body);
  return {};
};

export const failPointCommands: Record<string, Handler> = { configureFailPoint };
