/** The operator's own pages stand for those of all workspaces. @param publicUrl with `{workspace}` in it */
export function operatorUrl(publicUrl: string): URL {
  return new URL(publicUrl.replaceAll('{workspace}', 'admin'))
}
