import { contract } from '#shared/api/members.ts';
import { iconOf, type ToolIconName, toolNameOf } from '#shared/rules/tools/tools.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';

/** A tool's current name and icon, for lists that know only its id. Pages with such lists load the catalogue anyway. */
export const useToolLook = (): ((toolId: string) => { name: string; icon: ToolIconName }) => {
  const { data } = useApiQuery(contract.tools.list);
  return (id) => data?.find((tool) => tool.id === id) ?? { name: toolNameOf(id), icon: iconOf({ id, icon: null }) };
};
