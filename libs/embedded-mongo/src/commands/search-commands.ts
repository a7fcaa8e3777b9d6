import { CommandError } from '../command-error';
import { type Handler } from './command';

/** The words of a mongod that has no Atlas Search beside it. */
export const searchNotEnabled = (): CommandError =>
  new CommandError(
    'SearchNotEnabled',
    'Using Atlas Search Database Commands and the $listSearchIndexes aggregation stage requires additional configuration. Please connect to Atlas or an AtlasCLI local deployment to enable.',
  );

const refuse: Handler = () => {
  throw searchNotEnabled();
};

export const searchCommands: Record<string, Handler> = {
  createSearchIndexes: refuse,
  updateSearchIndex: refuse,
  dropSearchIndex: refuse,
};
