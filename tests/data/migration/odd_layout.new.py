from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookOrder


class P(MaiBotPlugin):
    @HookHandler( 'send_service.before_send' ,name = 'a',   order=HookOrder.EARLY )
    async   def a( self , message , ** kwargs ) :
        if 'x' in message [ 'processed_plain_text' ] : return { 'action' : 'abort' }
        message [ 'platform' ] = 'p' ; return { 'action' : 'continue' , 'modified_kwargs' : {"message": message} }


def create_plugin():
    return P()
