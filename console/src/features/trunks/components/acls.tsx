import { dataOf } from '@jackfield/sdk'
import { Code, Group } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { created, text } from '../../../design/column-kinds'
import type { Column } from '../../../design/columns'
import { partOf } from '../../../design/part-of'
import { useTexts } from '../../../i18n/texts'
import { type InboundAcl, aclsKey, aclsQuery } from '../queries'
import { trunksTexts } from '../texts'
import { type ListOfPage, TrunkList } from './trunk-list'

const AclForm = partOf(async () => import('./acl-form'), 'AclForm')

export function Acls(page: ListOfPage<InboundAcl>) {
  const t = useTexts(trunksTexts)
  const columns: Column<InboundAcl>[] = [
    text('title', t('titleField'), { sort: true }),
    { key: 'mode', header: t('mode'), render: ({ mode }) => t(mode) },
    {
      key: 'entries',
      header: t('entries'),
      render: ({ allowed_ips }) => (
        <Group gap={4}>
          {allowed_ips.map((entry) => (
            <Code key={entry}>{entry}</Code>
          ))}
        </Group>
      ),
    },
    created(t('created')),
  ]
  return (
    <TrunkList
      {...page}
      kind="acl"
      icon={IconShieldCheck}
      query={useQuery(aclsQuery(page.search))}
      columns={columns}
      form={(row, close) => <AclForm {...(row && { acl: row })} onDone={close} />}
      remove={{
        run: async ({ id }) => dataOf(api.DELETE('/sip-trunks/acls/{id}', { params: { path: { id } } })),
        from: aclsKey,
      }}
    />
  )
}
