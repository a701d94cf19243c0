import { endpoint, operator } from '../../infrastructure/http/endpoint.js'
import { ChecklistShape } from './checklist.schema.js'
import type { ChecklistService } from './checklist.service.js'
import { OperatorStatusShape } from './status.schema.js'
import type { OperatorStatusService } from './status.service.js'

interface Services {
  status: OperatorStatusService
  checklist: ChecklistService
}

export function operatorEndpoints({ status, checklist }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/operator/status',
      summary: 'Show how every part of the platform is doing',
      description:
        'Every part is asked in this moment, for some seconds at most. It answers 200 whatever is down; `/health` is for monitors.',
      tag: 'Operator',
      auth: operator,
      response: { 200: OperatorStatusShape },
      handler: async () => status.look(),
    }),
    endpoint({
      method: 'GET',
      path: '/operator/checklist',
      summary: 'Show what is set up and what is to be done next',
      description:
        'Certificates, names and the mail server are looked at in this moment, so it may take some seconds.',
      tag: 'Operator',
      auth: operator,
      tier: 'heavy',
      response: { 200: ChecklistShape },
      handler: async () => checklist.look(),
    }),
  ]
}
