import { Button, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { IconPower, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { fetched } from '../../../api/fetched'
import { Answered, Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { CarrierStatusCard } from '../components/carrier-status'
import { PostAddresses } from '../components/post-addresses'
import { useRemoveCarrier } from '../components/remove-carrier'
import { useTurnCarrier } from '../components/turn-carrier'
import { type Carrier, carrierQuery } from '../queries'
import { carriersTexts } from '../texts'

const CarrierForm = lazy(async () => fetched(async () => import('../components/carrier-form')))

export function CarrierPage() {
  const t = useTexts(carriersTexts)
  const { id } = useParams({ from: '/shell/operator/carriers/$id' })
  const query = useQuery(carrierQuery(id))
  return (
    <Page
      title={query.data?.title ?? id}
      up={<UpLink to="/carriers">{t('heading')}</UpLink>}
      description={query.data && t(query.data.kind)}
      actions={query.data && <Actions carrier={query.data} />}
    >
      <Answered query={query}>
        {(carrier) => (
          <Stack>
            <SimpleGrid cols={{ base: 1, md: carrier.kind === 'http' ? 2 : 1 }}>
              <CarrierStatusCard id={id} />
              {carrier.kind === 'http' && <PostAddresses id={id} />}
            </SimpleGrid>
            <Suspense fallback={<Skeleton height={600} />}>
              <CarrierForm key={id} carrier={carrier} />
            </Suspense>
          </Stack>
        )}
      </Answered>
    </Page>
  )
}

function Actions({ carrier }: { carrier: Carrier }) {
  const [t, words] = [useTexts(carriersTexts), useTexts(common)]
  const navigate = useNavigate()
  const turn = useTurnCarrier()
  const remove = useRemoveCarrier(() => void navigate({ to: '/carriers', search: {} }))
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPower size={18} aria-hidden />}
        loading={turn.isPending}
        onClick={() => turn.mutate(carrier)}
      >
        {t(carrier.is_active ? 'switchOffShort' : 'switchOnShort')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={18} aria-hidden />}
        onClick={() => remove(carrier)}
      >
        {words('delete')}
      </Button>
    </>
  )
}
