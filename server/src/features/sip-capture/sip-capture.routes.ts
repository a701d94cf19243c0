import Type from 'typebox'
import { RawAnswer, endpoint, operator } from '../../infrastructure/http/endpoint.js'
import { Id } from '../../infrastructure/http/shapes.js'
import type { SipCaptureService } from './sip-capture.service.js'

export function sipCaptureEndpoints({ sipCapture }: { sipCapture: SipCaptureService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/workspaces/:workspace_id/calls/:id/sip.pcap',
      audited: 'sip_capture.read',
      summary: 'Download the SIP of a call as a pcap file',
      description:
        'All messages of all its legs that passed through the edge, for Wireshark. Proofs of passwords and keys in INFO are made unreadable. The file has no packets where nothing is captured or kept.',
      tag: 'Operator',
      auth: operator,
      tier: 'heavy',
      params: Type.Object({ workspace_id: Id(), id: Id() }),
      response: {
        200: Type.String({ format: 'binary', contentMediaType: 'application/vnd.tcpdump.pcap' }),
      },
      errors: {
        404: 'no such call',
        503: 'others are looking at captured SIP',
      },
      handler: async ({ params }) =>
        new RawAnswer(
          'application/vnd.tcpdump.pcap',
          await sipCapture.pcapOfCall(params.workspace_id, params.id),
          { 'Content-Disposition': `attachment; filename="${params.id}.pcap"`, 'Cache-Control': 'no-store' },
        ),
    }),
  ]
}
