import type { GuardedResponse } from './guarded-client.js'

/** What can be shown of an answer: text, without what a column of the database cannot keep. */
export function shownText({ headers, body }: Pick<GuardedResponse, 'headers' | 'body'>): string {
  const coding = codingOf(headers)
  if (coding) return `(${body.length} bytes of ${coding})`.slice(0, 64)
  return body.toString('utf8').replaceAll('\u0000', '\ufffd')
}

/** The content coding of an answer that chose one though none was asked for. */
export function codingOf(headers: GuardedResponse['headers']): string | undefined {
  const coding = headers['content-encoding']
  return coding === 'identity' ? undefined : coding
}
