import type { ComponentType } from 'react';
import { Today } from '#client/features/admin/today.tsx';
import { DiscountCodes } from '#client/features/admin/catalogue/discount-codes.tsx';
import { ListPrices, OfferedTools } from '#client/features/admin/catalogue/offered-tools.tsx';
import { VolumeDiscounts } from '#client/features/admin/catalogue/volume-discounts.tsx';
import { AuditLog } from '#client/features/admin/incidents/audit-log.tsx';
import { Administrators } from '#client/features/admin/people/administrators.tsx';
import { Practices } from '#client/features/admin/people/practices.tsx';
import { UserList } from '#client/features/admin/people/users-tab.tsx';
import { deskRooms } from '#client/lib/pages/desk.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { type DeskRoom, paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { PageHeader } from '#client/ui/elements.tsx';
import { Loading } from '#client/ui/query-view.tsx';
import { Redirect } from 'wouter';

const Business = laterPart(
  () => import('#client/features/admin/business/business-tab.tsx'),
  <Loading label="Loading the figures" skeletons={['h-28', 'mt-6 h-72']} />,
);

const Pricing = () => (
  <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
    <div className="space-y-6">
      <VolumeDiscounts />
      <DiscountCodes />
    </div>
    <ListPrices />
  </div>
);

const contents: Record<DeskRoom, ComponentType> = {
  today: Today,
  people: () => <UserList withChips />,
  practices: Practices,
  catalogue: OfferedTools,
  pricing: Pricing,
  business: Business,
  audit: AuditLog,
};

const Room = ({ room }: { room: DeskRoom }) => {
  const { label, description } = deskRooms[room];
  const Content = contents[room];
  useTitle(label);
  return (
    <>
      <PageHeader title={label} description={description} />
      <Content />
    </>
  );
};

/** /admin/today, /admin/people and the others */
export default function RoomPage({ params }: { params: Record<string, string> }) {
  const room = params['room'] as DeskRoom;
  return (
    <Administrators>
      {room in contents ? <Room key={room} room={room} /> : <Redirect to={paths.admin} replace />}
    </Administrators>
  );
}
