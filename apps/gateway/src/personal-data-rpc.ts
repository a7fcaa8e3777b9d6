import { PersonalDataService } from '@invoicing/contracts/invoicing/gateway/v1/personal_data';
import { personalData, type PersonalSource } from '@invoicing/mongo';
import { bindService, type BoundService } from '@invoicing/rpc';

/** What is held about a person here, to hand over or to erase. */
export const personalDataService = (sources: readonly PersonalSource[]): BoundService =>
  bindService(PersonalDataService, personalData(sources), {
    exportPersonalData: { callers: ['admin'] },
    erasePersonalData: { callers: ['admin'] },
  });
