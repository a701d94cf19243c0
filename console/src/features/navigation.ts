/** The menu's entries of all features, in the order in which they are shown. */
import type { NavigationItem } from '../app/navigation'
import { apiKeysNavigation } from './api-keys/navigation'
import { phoneNavigation } from './phone/navigation'
import { voiceAgentsNavigation } from './voice-agents/navigation'
import { callsNavigation } from './calls/navigation'

export const featureNavigation: readonly NavigationItem[] = [
  ...phoneNavigation,
  ...voiceAgentsNavigation,
  ...callsNavigation,
  ...apiKeysNavigation,
]
