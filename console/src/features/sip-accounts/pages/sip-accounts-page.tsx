import { dataOf } from '@jackfield/sdk'
import { Group } from '@mantine/core'
import { IconDeviceLandlinePhone, IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { RowAction, RowActions } from '../../../design/row-actions'
import { PhoneNumber, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { type SipAccount, sipAccountsKey, sipAccountsQuery } from '../queries'
import { sipAccountsTexts } from '../texts'

const AccountForm = partOf(async () => import('../components/account-form'), 'AccountForm')
const NewAccountForm = partOf(async () => import('../components/new-account-form'), 'NewAccountForm')
const NewPasswordForm = partOf(async () => import('../components/new-password-form'), 'NewPasswordForm')

type Open = { form: 'new' } | { form: 'edit' | 'password'; account: SipAccount }

export function SipAccountsPage() {
  const t = useTexts(sipAccountsTexts)
  const heading = useTexts(menuTexts.sipAccounts)('title')
  const search = useSearch({ from: '/shell/admin/sip-accounts' })
  const navigate = useNavigate({ from: '/sip-accounts' })
  const query = useQuery(sipAccountsQuery(search))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const add = <AddButton onClick={() => setOpen({ form: 'new' })}>{t('add')}</AddButton>
  const columns: Column<SipAccount>[] = [
    { key: 'title', header: t('titleField'), sort: 'title', render: ({ title }) => title },
    { key: 'username', header: t('username'), render: ({ username }) => <code>{username}</code> },
    {
      key: 'caller',
      header: t('callerId'),
      render: ({ outbound_caller_id: number }) =>
        number ? <PhoneNumber number={`+${number}`} /> : t('onlyInside'),
    },
    {
      key: 'created',
      header: t('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  return (
    <Page title={heading} description={t('description')} actions={add}>
      <DataTable
        label={heading}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon={IconDeviceLandlinePhone} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(account) => <AccountActions account={account} onOpen={setOpen} />}
      />
      <FormModal title={t('add')} opened={open?.form === 'new'} onClose={close}>
        <NewAccountForm onDone={close} />
      </FormModal>
      {open && open.form !== 'new' && (
        <FormModal
          title={t(open.form === 'edit' ? 'edit' : 'newPassword', { title: open.account.title })}
          opened
          onClose={close}
        >
          {open.form === 'edit' ? (
            <AccountForm account={open.account} onDone={close} />
          ) : (
            <NewPasswordForm account={open.account} onDone={close} />
          )}
        </FormModal>
      )}
    </Page>
  )
}

function AccountActions({ account, onOpen }: { account: SipAccount; onOpen: (open: Open) => void }) {
  const t = useTexts(sipAccountsTexts)
  const { id, title } = account
  const label = `${t('newPassword')}: ${title}`
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <RowAction label={label} icon={IconKey} onClick={() => onOpen({ form: 'password', account })} />
      <RowActions
        name={title}
        onEdit={() => onOpen({ form: 'edit', account })}
        onDelete={() =>
          confirmDelete({
            name: title,
            consequence: t('deleteConsequence'),
            run: async () => dataOf(api.DELETE('/sip-accounts/{id}', { params: { path: { id } } })),
            row: { from: sipAccountsKey, id },
          })
        }
      />
    </Group>
  )
}
