import { Text } from '@mantine/core'
import { code, created } from '../../../design/column-kinds'
import { partOf } from '../../../design/part-of'
import { resourcePage } from '../../../design/resource-page'
import { Time } from '../../../design/values'
import type { ApiKey } from '../queries'
import { apiKeysTexts } from '../texts'

const NewApiKeyForm = partOf(async () => import('../components/new-api-key-form'), 'NewApiKeyForm')

export const ApiKeysPage = resourcePage({
  path: '/api-keys',
  texts: apiKeysTexts,
  columns: (t) => [
    {
      key: 'title',
      header: t('what'),
      render: ({ title }: ApiKey) => title || <Text c="dimmed">{t('untitled')}</Text>,
    },
    code('sid', 'SID'),
    { key: 'scope', header: t('scope'), render: ({ scope }) => t(scope) },
    { key: 'role', header: t('role'), render: ({ role }) => t(role) },
    {
      key: 'signs',
      header: t('signs'),
      render: ({ signs_clients }) => t(signs_clients ? 'signsYes' : 'signsNo'),
    },
    {
      key: 'used',
      header: t('lastUsed'),
      render: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : t('never')),
    },
    created(t('created')),
  ],
  idOf: ({ sid }) => sid,
  nameOf: ({ title, sid }) => title || sid,
  form: ({ close }) => <NewApiKeyForm onDone={close} />,
  labelsOf: (t, { title, sid }) => ({ delete: t('delete', { title: title || sid }) }),
  remove: { consequence: 'deleteConsequence' },
})
