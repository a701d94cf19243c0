/** The providers that the operator has set up, as sessions see them. */
import type { Owner } from '../../database/workspace-table.js'
import type { SpeechModel, SpeechSettings } from './speech-model.js'

export interface SpeechProviders {
  /**
   * A model of whom `modelId` belongs to, with the workspace's own key where it has one; not open yet.
   * @throws {SpeechModelError} `refused`: nobody offers it, or there is no key
   */
  model(workspace: Owner, settings: SpeechSettings): Promise<SpeechModel>
  /** USD a minute of talk with it; 0 where nothing is charged. */
  pricePerMinute(workspace: Owner, modelId: string): Promise<number>
}
