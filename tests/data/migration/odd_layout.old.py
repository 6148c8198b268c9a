from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep( name = 'a' ,stage = 'egress',   priority=+1 )
    async   def a( self , context , message , ** kwargs ) :
        if 'x' in message [ 'processed_plain_text' ] : return { 'hook_result' : 'abort' }
        message [ 'platform' ] = 'p' ; return { 'hook_result' : 'continue' , 'modified_message' : message }


def create_plugin():
    return P()
