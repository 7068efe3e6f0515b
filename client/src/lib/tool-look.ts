import { contract } from '#shared/api/members.ts';
import { iconOf, type ToolIconName, toolNameOf } from '#shared/rules/tools.ts';
import { useApiQuery } from '#client/lib/query.ts';

/** What a tool is called and looks like now, for lists that know its id; every page that has them has the catalogue as well. */
export const useToolLook = (): ((toolId: string) => { name: string; icon: ToolIconName }) => {
  const { data } = useApiQuery(contract.tools.list);
  return (id) => data?.find((tool) => tool.id === id) ?? { name: toolNameOf(id), icon: iconOf({ id, icon: null }) };
};
