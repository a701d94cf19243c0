/** Prefix of every path of the API. */
export const apiPrefix = '/api/v1'

/** Addresses under which clients reach what we serve; for those that stand in our answers. */
export class PublicUrls {
  /** @param template a workspace's origin, with `{workspace}` in place of its id */
  constructor(private readonly template: string) {}

  /** @param path relative to the API */
  of(workspaceId: string, path: string): string {
    return this.template.replace('{workspace}', workspaceId) + apiPrefix + path
  }

  /** @param path of a page of the workspace's console, with its slash */
  page(workspaceId: string, path: string): string {
    return this.template.replace('{workspace}', workspaceId) + path
  }

  /** `ws_url` of a call: the WebSocket on which an app speaks of its part in the call. */
  callSocket(workspaceId: string, callId: string): string {
    return this.of(workspaceId, `/calls/${callId}/session`).replace(/^http/, 'ws')
  }
}
