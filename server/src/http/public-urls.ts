/** Every path of the API stands below this. */
export const apiPrefix = '/api/v1'

/** Addresses under which clients reach what we serve; for those that stand in our answers. */
export class PublicUrls {
  /** @param template a workspace's origin, with `{workspace}` where its id stands */
  constructor(private readonly template: string) {}

  /** @param path relative to the API */
  of(workspaceId: string, path: string): string {
    return this.template.replace('{workspace}', workspaceId) + apiPrefix + path
  }
}
