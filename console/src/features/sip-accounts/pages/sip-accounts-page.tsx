import { IconKey } from '@tabler/icons-react'
import { orNone } from '../../../api/choices'
import { code, created, text } from '../../../design/column-kinds'
import { partOf } from '../../../design/part-of'
import { Picker } from '../../../design/picker'
import { type ActionProps, type FilterProps, resourcePage } from '../../../design/resource-page'
import { RowAction } from '../../../design/row-actions'
import { PhoneNumber } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { callerIdChoices } from '../../numbers/queries'
import { type SipAccount, type SipAccountsSearch, sipAccountsFilterOf } from '../queries'
import { sipAccountsTexts } from '../texts'

const AccountForm = partOf(async () => import('../components/account-form'), 'AccountForm')
const NewAccountForm = partOf(async () => import('../components/new-account-form'), 'NewAccountForm')
const NewPasswordForm = partOf(async () => import('../components/new-password-form'), 'NewPasswordForm')

export const SipAccountsPage = resourcePage({
  path: '/sip-accounts',
  texts: sipAccountsTexts,
  columns: (t) => [
    text('title', t('titleField'), { sort: true }),
    code('username', t('username')),
    {
      key: 'caller',
      header: t('callerId'),
      render: ({ outbound_caller_id: number }: SipAccount) =>
        number ? <PhoneNumber number={`+${number}`} /> : t('onlyInside'),
    },
    created(t('created')),
  ],
  nameOf: ({ title }) => title,
  form: ({ row, close }) =>
    row ? <AccountForm account={row} onDone={close} /> : <NewAccountForm onDone={close} />,
  editTitle: (t, { title }) => t('edit', { title }),
  dialogs: {
    password: {
      title: (t, { title }) => t('newPassword', { title }),
      Content: ({ row, close }) => <NewPasswordForm account={row} onDone={close} />,
    },
  },
  Filters: CallerFilter,
  csv: sipAccountsFilterOf,
  Actions: NewPassword,
  remove: { consequence: 'deleteConsequence' },
})

function CallerFilter({ search, onChange }: FilterProps<SipAccountsSearch>) {
  const t = useTexts(sipAccountsTexts)
  return (
    <Picker
      aria-label={t('callerId')}
      placeholder={t('anyCaller')}
      clearable
      source={orNone(callerIdChoices, t('onlyInside'))}
      value={search.caller ?? null}
      onChange={(caller) => onChange({ caller: caller ?? undefined })}
      w={220}
    />
  )
}

function NewPassword({ row, open }: ActionProps<SipAccount>) {
  const t = useTexts(sipAccountsTexts)
  const label = `${t('newPassword')}: ${row.title}`
  return <RowAction label={label} icon={IconKey} onClick={() => open('password', row)} />
}
