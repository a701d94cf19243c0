/** Which page of the documentation belongs to a page of the console. */

/** By the beginning of the path; the first that fits counts. */
const pages: readonly (readonly [path: string, page: string])[] = [
  ['/home', 'console/setup#first-steps'],
  ['/phone', 'console/phone'],
  ['/inbox', 'console/inbox'],
  ['/canned-replies', 'console/inbox'],
  ['/live', 'console/live-board'],
  ['/history', 'console/live-board'],
  ['/missed', 'console/calls#missed-calls-and-voicemail'],
  ['/voicemails', 'console/calls#missed-calls-and-voicemail'],
  ['/calls', 'console/calls'],
  ['/opt-outs', 'console/messages#opt-outs'],
  ['/messages', 'console/messages'],
  ['/flows', 'console/flows'],
  ['/voice-agents', 'console/voice-agents'],
  ['/webhooks', 'console/webhooks#webhooks'],
  ['/push-credentials', 'console/webhooks#push-credentials'],
  ['/usage', 'console/workspace#usage'],
  ['/alerts', 'console/workspace#alerts'],
  ['/api-keys', 'console/workspace#api-keys'],
  ['/audit-log', 'console/workspace#audit-log'],
  ['/erasures', 'operate/retention'],
  ['/workspaces', 'console/operator'],
  ['/workspace', 'console/workspace#workspace'],
  ['/platform', 'console/operator'],
  ['/carriers', 'messages/sms-carriers'],
  ['/rate-decks', 'operate/prices#rate-decks'],
  ['/ai-providers', 'voice-agents/ai-providers'],
  ['/account', 'console/overview#who-signs-in-and-with-what'],
  ['/own-teams', 'console/overview#who-signs-in-and-with-what'],
  ['/trunks', 'calls/trunks'],
  ...[
    '/numbers',
    '/sip-accounts',
    '/extensions',
    '/audios',
    '/agents',
    '/teams',
    '/contacts',
    '/address-books',
  ].map((path) => [path, 'console/setup'] as const),
]

/** `console/setup#passwords`; undefined where no page is about it. */
export function documentationOf(pathname: string): string | undefined {
  return pages.find(([path]) => pathname === path || pathname.startsWith(`${path}/`))?.[1]
}

/** The address of a page that the appliance serves; the index by default. */
export function documentationUrl(page: string | undefined): string {
  return page === undefined ? '/docs' : `/docs/${page}`
}
