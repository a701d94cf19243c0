import { Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { dataOf } from '@jackfield/sdk'
import { api } from '../api/client'
import { meQuery } from '../api/me'
import { useTexts } from '../i18n/texts'
import { useSession } from '../session/session'
import { site } from '../session/site'
import { keepTitle, knownTitle } from '../session/workspace-title'
import { shellTexts } from './texts'

/** For keys: agents have it with their account. A change of the profile invalidates it. */
const titleQuery = queryOptions({
  queryKey: ['workspace', 'title'],
  queryFn: async ({ signal }) => (await dataOf(api.GET('/profile', { signal }))).title,
  staleTime: Infinity,
})

/** In the header: where one is. */
export function WorkspaceTitle() {
  const t = useTexts(shellTexts)
  const session = useSession()
  const isAgent = session?.kind === 'agent'
  const me = useQuery({ ...meQuery, enabled: isAgent })
  const own = useQuery({ ...titleQuery, enabled: site.kind === 'workspace' && session !== null && !isAgent })
  const title = isAgent ? me.data?.workspace_title : own.data
  useEffect(() => {
    if (title !== undefined) keepTitle(title)
  }, [title])
  return (
    <Text c="dimmed" truncate visibleFrom="xs">
      {site.kind === 'workspace' ? (title ?? knownTitle() ?? site.id) : t('section_platform')}
    </Text>
  )
}
