/** The site that the page's host names: the operator's, or a workspace's. */

export type Site = { readonly kind: 'operator' } | { readonly kind: 'workspace'; readonly id: string }

function siteOf(hostname: string): Site {
  const id = hostname.split('.')[0] ?? ''
  return id === 'admin' ? { kind: 'operator' } : { kind: 'workspace', id }
}

export const site = siteOf(location.hostname)
