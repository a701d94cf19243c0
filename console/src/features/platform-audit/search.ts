/** What the page of the audit log keeps in its address. */
import { type AuditSearch as WorkspaceSearch, auditFilterOf, auditSearchOf } from '../audit-log/queries'

export type AuditSearch = WorkspaceSearch & { workspace?: string }

export function platformSearchOf(search: Record<string, unknown>): AuditSearch {
  const { workspace } = search
  return {
    ...auditSearchOf(search),
    ...(typeof workspace === 'string' && workspace !== '' && { workspace }),
  }
}

/** What the API takes of an address beside page and order. */
export const platformFilterOf = ({ workspace, ...search }: AuditSearch) => ({
  ...auditFilterOf(search),
  ...(workspace && { workspace_id: workspace }),
})
