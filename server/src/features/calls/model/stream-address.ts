/** URI scheme of legs to customers' servers. */
export const streamScheme = 'stream:'

/** True if a leg goes to a customer's server: it ends with the process. */
export function isOfStream({ uri }: { uri: string }): boolean {
  return uri.startsWith(streamScheme)
}
