import { Button } from '@mantine/core'
import { useDisclosure, useMediaQuery, usePrevious } from '@mantine/hooks'
import { IconMessages, IconPencil } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Loading, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { useTexts } from '../../../i18n/texts'
import { ConversationList } from '../components/conversation-list'
import { type FilterChange, ListFilters } from '../components/list-filters'
import { Thread } from '../components/thread'
import css from '../inbox.module.css'
import { conversationsQuery } from '../queries'
import { filterOf } from '../search'
import { inboxTexts } from '../texts'

const NewMessageForm = partOf(async () => import('../components/new-message-form'), 'NewMessageForm')

export function InboxPage() {
  const t = useTexts(inboxTexts)
  const search = useSearch({ from: '/shell/agent/inbox' })
  const navigate = useNavigate({ from: '/inbox' })
  const [isWriting, writing] = useDisclosure()
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false })
  const change = (changes: FilterChange) => void navigate({ search: (before) => ({ ...before, ...changes }) })
  const { conversation } = search
  const { isPending } = useInfiniteQuery(conversationsQuery(filterOf(search)))
  const list = useRef<HTMLElement>(null)
  const before = usePrevious(conversation)
  useEffect(() => {
    // On narrow screens the list replaces the conversation: focus its row.
    if (!isNarrow || conversation || !before) return
    const row = list.current?.querySelector<HTMLElement>(`[data-conversation="${before}"]`)
    ;(row ?? list.current)?.focus()
  }, [conversation])
  const write = (
    <Button leftSection={<IconPencil size={18} />} onClick={writing.open}>
      {t('newMessage')}
    </Button>
  )
  return (
    <Page title={t('heading')} actions={write}>
      <div className={css['panes']}>
        {(!isNarrow || !conversation) && (
          <section className={css['list']} aria-label={t('conversations')} ref={list} tabIndex={-1}>
            <ListFilters search={search} onChange={change} />
            <ConversationList search={search} action={write} />
          </section>
        )}
        {/* The list's row, if loaded, saves a request. */}
        {conversation && isPending && <Loading />}
        {conversation && !isPending && (
          <Thread id={conversation} onClose={() => change({ conversation: undefined })} />
        )}
        {!conversation && !isNarrow && (
          <EmptyState icon={IconMessages} title={t('choose')}>
            {t('chooseHint')}
          </EmptyState>
        )}
      </div>
      <FormModal title={t('newMessage')} opened={isWriting} onClose={writing.close}>
        <NewMessageForm
          onCancel={writing.close}
          onDone={(id) => {
            writing.close()
            change({ conversation: id })
          }}
        />
      </FormModal>
    </Page>
  )
}
