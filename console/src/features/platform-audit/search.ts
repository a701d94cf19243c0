/** What the page of the audit log keeps in its URL. */
import { type AuditSearch as WorkspaceSearch, auditFilterOf, auditSearchOf } from '../audit-log/queries'

export type AuditSearch = WorkspaceSearch & { workspace?: string }

export function platformSearchOf(search: Record<string, unknown>): AuditSearch {
  const { workspace } = search
  return {
    ...auditSearchOf(search),
    ...(typeof workspace === 'string' && workspace !== '' && { workspace }),
  }
}

/** Filters of the URL as API parameters, without page and order. */
export const platformFilterOf = ({ workspace, ...search }: AuditSearch) => ({
  ...auditFilterOf(search),
  ...(workspace && { workspace_id: workspace }),
})
