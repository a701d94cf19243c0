/** The runners of all nodes that are not decisions. */
import type { ContactLookup } from '../../callbacks/contact-lookup.js'
import type { JsonCallAction } from '../../callbacks/json-call-action.js'
import type { Phones } from '../../calls/phones.js'
import { runAction } from './action-runner.js'
import { contactLookupRunner } from './contact-lookup.js'
import { goToExtensionRunner } from './go-to-extension.js'
import { jsonCallActionRunner } from './json-call-action.js'
import { runIvr } from './ivr.js'
import { runMachineDetection } from './machine-detection.js'
import { runMenu } from './menu.js'
import type { MessageService } from '../../messages/message.service.js'
import type { NodeRunner } from './node-runner.js'
import { sendMessageRunner } from './send-message.js'

export interface RunnerServices {
  readonly contactLookup: ContactLookup
  readonly jsonCallAction: JsonCallAction
  readonly phones: Phones
  readonly messages: MessageService
}

/** Gives the runner of a type of node. Types without one of their own are call actions. */
export function nodeRunners(services: RunnerServices): (type: string) => NodeRunner {
  const runners: ReadonlyMap<string, NodeRunner> = new Map([
    ['ivr', runIvr],
    ['menu', runMenu],
    ['machine_detection', runMachineDetection],
    ['go_to_extension', goToExtensionRunner(services.phones)],
    ['contact_lookup', contactLookupRunner(services.contactLookup)],
    ['json_call_action', jsonCallActionRunner(services.jsonCallAction)],
    ['send_message', sendMessageRunner(services.messages)],
  ])
  return (type) => runners.get(type) ?? runAction
}
